module.exports = {
	useTabs: true,
	tabWidth: 2,
	singleQuote: true,
	semi: true,
	trailingComma: 'all',
	arrowParens: 'always',
	bracketSpacing: true,
	quoteProps: 'as-needed',
	endOfLine: 'lf',
	printWidth: 100,
};
