import type { RunResult } from '../engine/runner';
import { orders, type ReferenceService } from '../service';
import { claim, claimOfRequests, claimOfSecrets, type Claim } from './claim';
import type { OrderMoment } from './orderMoment';

/** The order after each node, by the node's name; before the run under the empty name. */
export type OrderMoments = Map<string, OrderMoment>;

/** What the second part says of its run, each statement checked against the service. */
export function aroundClaims(
	moments: OrderMoments,
	result: RunResult,
	service: ReferenceService,
): Claim[] {
	const after = (node: string) => moments.get(node);
	const requests = service.requests.all();
	const [refusal] = result.outputs('Change Although Locked', 1);
	const [pressed] = result.outputs('Mark as Shipped');
	const rowPosts = requests.filter(({ rawUrl }) => rawUrl.includes('doFormula'));
	const rowIds = [...service.data.record(orders, 100).rows(orders.subtables.lines.id).keys()];

	return [
		claim(
			'Two rows were added to the order in one request, and its total was computed anew',
			['before', [after('')?.articles, after('')?.total], [[], '0.00']],
			['rows', after('Add Lines')?.articles, ['Desk lamp', 'Vase']],
			['total', after('Add Lines')?.total, '85.00'],
			['requests', rowPosts.length, 1],
			['ids', result.outputs('Add Lines').map(({ json }) => json._rowId), rowIds],
		),
		claim('A comment holds its text as it was written, and the contract as a file', [
			'comments',
			after('Comment With Contract')?.comments,
			[
				{
					text: 'Contract checked ✔\n  Ship with care, please 🎁',
					file: after('')?.contract,
				},
			],
		]),
		claim(
			'The lock refused the update: its item went to the error output, with the way out',
			['locked', after('Lock the Order')?.locked, true],
			['remark', after('Change Although Locked')?.remark, after('')?.remark],
			['changed', result.outputs('Change Although Locked').length, 0],
			['said', String(refusal?.json.error).includes('Record locked'), true],
			['advised', String(refusal?.json.error).includes("operation 'Unlock'"), true],
			['details', refusal?.json.details, undefined],
		),
		claim(
			'Unlocked again, the order was shipped at the press of a button, which left its stamp',
			['locked', after('Unlock the Order')?.locked, false],
			['order', [after('Mark as Shipped')?.status, after('Mark as Shipped')?.stamp], shipped],
			['said', pressed?.json.message, 'Order SO-00100 is on its way.'],
		),
		claimOfRequests(service),
		claimOfSecrets(result.recorded, service),
	];
}

const shipped = ['Shipped', 'Shipped by admin'];
