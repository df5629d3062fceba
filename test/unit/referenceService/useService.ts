import {
	startReferenceService,
	type ReferenceService,
	type ReferenceServiceOptions,
} from '../../service';
import { specifiedPositions } from '../../service/switches';
import { Client } from './client';

/** Starts a service for a test file, with the positions of the specification. Resets it before every test. */
export function useService(options?: ReferenceServiceOptions): {
	service: () => ReferenceService;
	client: () => Client;
} {
	let running: { service: ReferenceService; client: Client } | undefined;

	beforeAll(async () => {
		const service = await startReferenceService(options);
		running = { service, client: new Client(service) };
	});
	beforeEach(() => {
		running?.service.reset();
		Object.assign(running?.service.switches ?? {}, specifiedPositions());
	});
	afterAll(async () => {
		await running?.client.close();
		await running?.service.close();
	});

	const started = () => {
		if (!running) throw new Error('The service has not started.');
		return running;
	};
	return { service: () => started().service, client: () => started().client };
}
