// A function does one thing: at most 60 lines, 12 ways through it (cyclomatic complexity) and four parameters.
import typescript from 'typescript-eslint';

export default [
	{
		files: ['nodes/**/*.ts', 'credentials/**/*.ts'],
		languageOptions: { parser: typescript.parser },
		rules: {
			complexity: ['error', 12],
			'max-params': ['error', 4],
			'max-lines-per-function': ['error', { max: 60 }],
		},
	},
];
