import { randomBytes } from 'node:crypto';
import type { Identity } from './identities';

/** A login that is still remembered, though it may have expired. */
export interface Session {
	readonly id: string;
	readonly identity: Identity;
	requestsServed: number;
	expired: boolean;
	/** The last `naming` of a cookie session: it sticks until another one is asked for. */
	naming: string | undefined;
}

/** The sessions that logins have opened (specification, endpoint 14). */
export class Sessions {
	private readonly byId = new Map<string, Session>();

	private readonly issued = new Set<string>();

	/** The ids of all sessions ever opened, those that were forgotten since included. */
	get issuedIds(): ReadonlySet<string> {
		return this.issued;
	}

	open(identity: Identity): Session {
		const id = randomBytes(16).toString('hex').toUpperCase();
		const session = { id, identity, requestsServed: 0, expired: false, naming: undefined };
		this.byId.set(id, session);
		this.issued.add(id);
		return session;
	}

	find(id: string): Session | undefined {
		return this.byId.get(id);
	}

	/**
	 * Counts a request against the session and gives it, or nothing when it is unknown or has
	 * expired.
	 */
	use(id: string, lifetimeRequests: number | undefined): Session | undefined {
		const session = this.byId.get(id);
		if (!session || session.expired) return undefined;
		session.requestsServed += 1;
		if (lifetimeRequests !== undefined && session.requestsServed > lifetimeRequests) {
			session.expired = true;
			return undefined;
		}
		return session;
	}

	expireAll(): void {
		for (const session of this.byId.values()) session.expired = true;
	}

	clear(): void {
		this.byId.clear();
	}
}
