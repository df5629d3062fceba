import js from '@eslint/js';
import typescript from 'typescript-eslint';

/** Tests do not run inside n8n, so the lint rules for n8n nodes do not apply. */
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
