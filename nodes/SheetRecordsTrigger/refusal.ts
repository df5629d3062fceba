/** Why a request is not taken, for the operator who reads the answer. */
export interface Refusal {
	status: 400 | 401 | 413 | 503;
	reason: string;
}
