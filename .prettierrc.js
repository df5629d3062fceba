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
	overrides: [
		{
			// One line per paragraph, and tables without padding: a changed word changes one line.
			files: ['README.md', '.github/*.md', 'credentials/*.md', 'nodes/**/*.md'],
			options: { proseWrap: 'never' },
		},
	],
};
