import { randomBytes } from 'node:crypto';

export type IdentityName = 'admin' | 'member' | 'reader' | 'outsider';

/** A caller: its API key, its login, and the groups that decide about its rights. */
export interface Identity {
	name: IdentityName;
	apiKey: string;
	email: string;
	password: string;
	groups: string[];
}

export type Identities = Record<IdentityName, Identity>;

export const administrators = 'SYSAdmin';

/**
 * Creates the predefined identities. Keys look like base64, as real keys do, and contain every base64 character that must be
 * encoded in a query. Passwords need encoding, too.
 */
export function createIdentities(): Identities {
	return {
		admin: {
			name: 'admin',
			apiKey: 'YWRtaW4ra2V5/0xhVGVzdEtleQ+7dG9wL3NlY3JldA==',
			email: 'ada.admin@acme.example',
			password: 'Ada&Admin 100%+1',
			groups: [administrators],
		},
		member: {
			name: 'member',
			apiKey: 'bWVtYmVyK2tleS/9MgL4cQ+dW5pdHMvd3JpdGVyAQ==',
			email: 'max.member@acme.example',
			password: 'Max#Member?=2/ü',
			groups: ['Sales'],
		},
		reader: {
			name: 'reader',
			apiKey: 'cmVhZGVyK2tleS8+b25seS9sb29raW5nL2F0L2l0Ag==',
			email: 'rita.reader@acme.example',
			password: 'Rita Reader;3',
			groups: ['Readers'],
		},
		outsider: {
			name: 'outsider',
			apiKey: 'b3V0c2lkZXIra2V5L25vL3JpZ2h0cy9hdCthbGwvAw==',
			email: 'otto.outsider@acme.example',
			password: 'Otto+Outsider%20',
			groups: ['Visitors'],
		},
	};
}

/** Restores the identities in place, because tests keep references to them. */
export function restoreIdentities(identities: Identities): void {
	const fresh = createIdentities();
	for (const identity of Object.values(identities)) Object.assign(identity, fresh[identity.name]);
}

/** A stored login session, which may have expired. */
export interface Session {
	readonly id: string;
	readonly identity: Identity;
	requestsServed: number;
	expired: boolean;
	/** The last `naming` of a cookie session. It stays in effect until a request sends another one. */
	naming: string | undefined;
}

/** Sessions opened by logins (specification, endpoint 14). */
export class Sessions {
	private readonly byId = new Map<string, Session>();

	private readonly ofKeys = new Map<Identity, Session>();

	private readonly issued = new Set<string>();

	/** IDs of all sessions ever opened, including sessions that were forgotten since. */
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

	/** Returns the session opened by reads with the API key: one per identity, until it expires. */
	ofKey(identity: Identity): Session {
		const known = this.ofKeys.get(identity);
		const isOpen = known && !known.expired && this.byId.has(known.id);
		const session = isOpen ? known : this.open(identity);
		this.ofKeys.set(identity, session);
		return session;
	}

	find(id: string): Session | undefined {
		return this.byId.get(id);
	}

	/** Counts a request of the session. Returns undefined if the session is unknown or has expired. */
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
