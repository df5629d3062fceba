// A function does one thing: at most 60 lines, and at most 12 ways through it (cyclomatic complexity).
import typescript from 'typescript-eslint';

export default [
	{
		files: ['nodes/**/*.ts', 'credentials/**/*.ts'],
		languageOptions: { parser: typescript.parser },
		rules: {
			complexity: ['error', 12],
			'max-lines-per-function': ['error', { max: 60 }],
		},
	},
];
