import { orders, type ReferenceService } from '../service';

const { fields, subtables } = orders;

/** The order that the demonstration works on: it has a contract and no lines. */
const orderId = 100;

/** The order as the service holds it at one moment. */
export interface OrderMoment {
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
export function orderMoment({ data }: ReferenceService): OrderMoment {
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
