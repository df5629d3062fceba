/** How much a test that could go on for ever does: little every time, much where time is given (`npm run test:long`). */
export function amount<Amount>(usual: Amount, long: Amount): Amount {
	return process.env.LONG_TESTS === 'yes' ? long : usual;
}
