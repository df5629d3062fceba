import js from '@eslint/js';
import typescript from 'typescript-eslint';

/** Tests run on a developer's machine, so the rules for code inside n8n do not hold here. */
export default typescript.config({
	files: ['**/*.ts'],
	extends: [js.configs.recommended, typescript.configs.strict],
	rules: {
		'@typescript-eslint/no-explicit-any': 'error',
		'@typescript-eslint/no-non-null-assertion': 'error',
		'no-restricted-syntax': [
			'error',
			{
				selector: 'CallExpression > MemberExpression[property.name=/^(only|skip|todo)$/]',
				message: 'Every test runs.',
			},
		],
	},
});
