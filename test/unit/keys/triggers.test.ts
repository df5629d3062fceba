import type { IHookFunctions } from 'n8n-workflow';
import { clearProcessState } from '../../../nodes/api/http/processState';
import { parseFilters } from '../../../nodes/shared/parameters/filters';
import { nodeKeyOf } from '../../../nodes/shared/trigger';
import { settingsOf, type PollCall } from '../../../nodes/SheetRecordsPollingTrigger/pollCall';
import { pollingProperties } from '../../../nodes/SheetRecordsPollingTrigger/pollingParameters';
import { changeFilter } from '../../../nodes/SheetRecordsTrigger/changeFilter';
import { receiveDelivery } from '../../../nodes/SheetRecordsTrigger/receiveDelivery';
import { restartMemory } from '../../../nodes/SheetRecordsTrigger/recentDeliveries';
import { registration } from '../../../nodes/SheetRecordsTrigger/registration';
import {
	triggerProperties,
	type TriggerSetup,
} from '../../../nodes/SheetRecordsTrigger/triggerParameters';
import { triggerContext } from './fakeTrigger';
import {
	changed,
	components,
	CountingService,
	usual,
	type Component,
	type Situation,
} from './situation';

jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	// Longer sleeps are deadlines, which these tests do not reach.
	sleep: async (milliseconds: number) =>
		await new Promise<void>((resolve) => milliseconds > 2_000 || resolve()),
}));

const service = new CountingService(() => ({
	fields: [
		{ fieldId: 1000001, fieldName: 'Total', type: 'number' },
		{ fieldId: 1000002, fieldName: 'Remark', type: 'text' },
	],
}));

beforeEach(() => clearProcessState());

/** Returns the names of all parameters, with `options.` before those of the collection. */
function parameterNames(properties: typeof pollingProperties): string[] {
	return properties
		.filter(({ type }) => type !== 'notice')
		.flatMap(({ name, type, options = [] }) =>
			type === 'collection' ? options.map((option) => `options.${option.name}`) : [name],
		);
}

/** Returns the parameters with another value for one of them. */
function withOther(parameters: Record<string, unknown>, name: string): Record<string, unknown> {
	const option = /^options\.(.*)/.exec(name)?.[1];
	if (option === undefined) return { ...parameters, [name]: 'another value' };
	return { ...parameters, options: { [option]: 'another value' } };
}

describe('the state of the polling trigger', () => {
	const parameters = { events: ['UPDATE'], options: {} };
	const credentials = { sheetRecordsApi: { id: '1' }, sheetRecordsSessionApi: { id: '2' } };
	const digests = async (
		situation: Situation,
		changes = parameters as object,
		ids = credentials,
	) => {
		const client = await service.connect(situation);
		const node = { parameters: changes, credentials: ids };
		const context = { ...triggerContext(situation), getNode: () => node };
		const reading = { naming: 'FNAME', version: '2025-01-01' };
		const call = { client, sheet: situation.sheet, reading };
		return settingsOf(context as never, call as unknown as PollCall);
	};
	const restarting: Component[] = ['address', 'account', 'credentialType', 'sheet', 'folder'];
	const restartingParameters = ['startFrom', 'startDate'];
	const selectingParameters = ['filters', 'options.sharedViewId', 'options.ignoreFixedFilter'];

	it.each(components)(
		'starts again after a change of %s alone exactly if it is of the source',
		async (component) => {
			const isSame = (await digests(changed[component])).source === (await digests(usual)).source;
			expect(isSame).toBe(!restarting.includes(component));
		},
	);

	it.each(parameterNames(pollingProperties))(
		'starts again, or selects other records, after a change of the parameter %s alone exactly if it is of them, and notices each change',
		async (name) => {
			const [before, after] = [
				await digests(usual),
				await digests(usual, withOther(parameters, name)),
			];
			expect(before.source === after.source).toBe(!restartingParameters.includes(name));
			expect(before.selection === after.selection).toBe(!selectingParameters.includes(name));
			expect(before.settings).not.toBe(after.settings);
		},
	);

	it('starts again with another credential of the same user', async () => {
		const ids = { ...credentials, sheetRecordsApi: { id: '3' } };
		const { source } = await digests(usual, parameters, ids);
		expect(source).not.toBe((await digests(usual)).source);
	});

	it('selects other records after a change of the view only, not of another option with the same value', async () => {
		const withOptions = async (options: object) =>
			(await digests(usual, { ...parameters, options })).selection;
		expect(await withOptions({ sharedViewId: '7' })).not.toBe(await withOptions({}));
		expect(await withOptions({ version: '7' })).toBe(await withOptions({}));
	});
});

describe('the filters and watched fields of the webhook trigger', () => {
	const conditions = [{ field: 'Total', operator: 'eq', value: '5' }];
	const parameters = { events: ['UPDATE'], filters: { conditions }, watchFields: ['Remark'] };
	const resolve = async (situation: Situation, staticData: object, values: object = parameters) => {
		const context = triggerContext(situation, { parameters: { ...values } });
		const value = (name: string) => context.getNodeParameter(name, 0);
		const client = await service.connect(situation);
		const events = value('events');
		const setup = { client, sheet: situation.sheet, value, settings: { events } };
		const call = { ...setup, timeZone: () => ({ zone: 'UTC' }) } as unknown as TriggerSetup;
		expect(parseFilters(call).length).toBe(1);
		return await service.countDuring(async () => {
			clearProcessState();
			await changeFilter(call, staticData as never);
		});
	};
	const resolving: Component[] = ['address', 'account', 'sheet', 'folder'];
	const rest = {
		events: { ...parameters, events: ['UPDATE', 'CREATE'] },
		condition: { ...parameters, filters: { conditions: [{ ...conditions[0], value: '6' }] } },
		watchedField: { ...parameters, watchFields: ['Total'] },
	};

	it('are looked up once', async () => {
		const staticData = {};
		expect(await resolve(usual, staticData)).toBeGreaterThan(0);
		expect(await resolve(usual, staticData)).toBe(0);
	});

	it.each(components)(
		'are looked up again after a change of %s alone exactly if they depend on it',
		async (component) => {
			const staticData = {};
			await resolve(usual, staticData);
			const sent = await resolve(changed[component], staticData);
			expect(sent > 0).toBe(resolving.includes(component));
		},
	);

	it.each(Object.entries(rest))(
		'are looked up again after a change of the %s',
		async (_, values) => {
			const staticData = {};
			await resolve(usual, staticData);
			expect(await resolve(usual, staticData, values)).toBeGreaterThan(0);
		},
	);

	it.each(
		parameterNames(triggerProperties).filter(
			(name) => !['events', 'filters', 'watchFields'].includes(name),
		),
	)('are kept after a change of the parameter %s', async (name) => {
		const staticData = {};
		await resolve(usual, staticData);
		expect(await resolve(usual, staticData, withOther(parameters, name))).toBe(0);
	});
});

describe('the deliveries and names that the webhook trigger stores', () => {
	const options = { skipRepeats: true };
	const parameters = { events: ['UPDATE'], filters: {}, verification: 'off', options };
	/** Sends an update of record 5. Returns whether it starts the workflow. */
	const deliver = async (situation: Situation, staticData: Record<string, unknown>) => {
		const { credential, sheet } = situation;
		const body = JSON.stringify({
			...{ apname: credential.account, path: sheet.folders.join('/') },
			...{ sheetIndex: sheet.sheetIndex, eventType: 'UPDATE' },
			data: [{ _ragicId: 5, 1000001: '5' }],
		});
		const context = Object.assign(triggerContext(situation, { parameters, staticData }), {
			getRequestObject: () => ({ headers: {}, rawBody: Buffer.from(body) }),
			getResponseObject: () => ({ status: () => ({ json: () => {} }) }),
		});
		return (await receiveDelivery(context as never)).workflowData !== undefined;
	};
	const ofSheet: Component[] = ['address', 'account', 'sheet', 'folder'];
	const ofOneNode = components.filter((component) => !['workflow', 'node'].includes(component));

	it.each(ofOneNode)(
		'are forgotten after a change of %s alone exactly if it is of the sheet',
		async (component) => {
			const staticData: { names?: object } = { names: { ' 1000009': 'Earlier' } };
			restartMemory(nodeKeyOf(triggerContext(usual)), staticData as never);
			expect(await deliver(usual, staticData)).toBe(true);
			expect(await deliver(changed[component], staticData)).toBe(ofSheet.includes(component));
			const names = Object.values(staticData.names ?? {});
			expect(names.includes('Earlier')).toBe(!ofSheet.includes(component));
		},
	);
});

describe('the registration of the webhook trigger', () => {
	const registered = 'https://one.example/acme/sales/1\nhttps://n8n.example/webhook\ninstance';
	const isOutdated = async (situation: Situation, url = 'https://n8n.example/webhook') => {
		const sent: URL[] = [];
		const warn = jest.fn();
		const listed = [{ url: 'https://n8n.example/webhook', event: 'Update' }];
		const context = triggerContext(situation, {
			parameters: { events: ['UPDATE'], registration: 'automatic', verification: 'off' },
			staticData: { registered },
			send: async (address) => await Promise.resolve(sent.push(address)).then(() => listed),
			warn,
		});
		const hooks = {
			...context,
			getNodeWebhookUrl: () => url,
			getInstanceId: () => 'instance',
		} as unknown as IHookFunctions;
		await registration.checkExists.call(hooks).catch(() => {});
		expect(sent.length).toBeGreaterThan(0);
		const isRemoved = sent.some(({ pathname }) => pathname.includes('Unsubscribe'));
		return isRemoved || warn.mock.calls.length > 0;
	};
	const ofAddress: Component[] = ['address', 'account', 'sheet', 'folder'];

	it('is kept without a change', async () => {
		expect(await isOutdated(usual)).toBe(false);
	});

	it.each(components)(
		'is removed after a change of %s alone exactly if it is of the address',
		async (component) => {
			expect(await isOutdated(changed[component])).toBe(ofAddress.includes(component));
		},
	);

	it("is removed after a change of the node's own address", async () => {
		expect(await isOutdated(usual, 'https://n8n.example/other')).toBe(true);
	});
});
