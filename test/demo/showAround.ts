import type { RunResult } from '../engine/runner';
import { orders, type ReferenceService } from '../service';
import { claim, type Claim } from './claim';
import { show } from './observedRun';

/** Shows what can be done around a record: rows, comments, locks, buttons. Answers the exit code. */
export async function showAround(): Promise<number> {
	return await show('test/workflows/around.json', (service) => {
		const moments: OrderMoments = new Map([['', orderMoment(service)]]);
		return {
			title: 'likewise',
			onNodeEnd: (name) => moments.set(name, orderMoment(service)),
			claims: ({ result }) => aroundClaims(moments, result, service),
		};
	});
}

/** The order after each node, by the node's name; before the run under the empty name. */
type OrderMoments = Map<string, OrderMoment>;

/** What the second part says of its run, each statement checked against the service. */
function aroundClaims(
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
	];
}

const shipped = ['Shipped', 'Shipped by admin'];

const { fields, subtables } = orders;

/** The order that the demonstration works on: it has a contract and no lines. */
const orderId = 100;

/** The order as the service holds it at one moment. */
interface OrderMoment {
	articles: string[];
	total: string;
	status: string;
	stamp: string;
	remark: string;
	locked: boolean;
	contract: string;
	comments: Array<{ text: string; file: string }>;
}

/** Looks at the order in the service's own data; files are given by their name and content. */
function orderMoment({ data }: ReferenceService): OrderMoment {
	const record = data.record(orders, orderId);
	const rows = [...record.rows(subtables.lines.id).values()];
	const fileText = (value: string) => {
		const file = data.files.get(value);
		return file ? `${file.name}: ${file.content.toString('base64')}` : '';
	};
	return {
		articles: rows.map((row) => String(row.get(subtables.lines.fields.article))),
		total: record.text(fields.total),
		status: record.text(fields.status),
		stamp: record.text(fields.workflowStamp),
		remark: record.text(fields.remark),
		locked: record.locked,
		contract: fileText(record.text(fields.contract)),
		comments: record.comments.map(({ text, attachment }) => ({
			text,
			file: fileText(attachment),
		})),
	};
}
