import { secretDetector } from '../../../../nodes/api/http/redaction';

it.each(['&amp;', '&#', '&#0', '&#x', '%25', '\\', '\\u005c', '&', '%', '&#38;', '&#x26;#38;'])(
	'a long text of only %s is checked in linear time',
	(unit) => {
		const judge = secretDetector(['bWVtYmVyK2tleS/9MgL4cQ+dW5pdHMvd3JpdGVyAQ==', 'S3cret&Key1']);
		const secondsFor = (length: number) => {
			const text = unit.repeat(length / unit.length);
			const begun = process.cpuUsage();
			expect(judge(text)).toBe(false);
			const { user, system } = process.cpuUsage(begun);
			return (user + system) / 1e6;
		};
		secondsFor(10_000);
		expect(secondsFor(400_000)).toBeLessThan(2);
	},
);
