// The rules of n8n's reviewers in eslint-plugin-n8n-nodes-base 2.x. The lint of n8n's own tool runs an older version of
// them and allows no change of its configuration, so `npm run lint` runs this one after it.
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import typescript from 'typescript-eslint';

/** All exceptions. n8n's own tool turns the same rules off. */
const exceptions = {
	// The rule is about page names of n8n's own documentation. Community packages give an address, whose letters are what they are.
	'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
	// The rules want the text 'main'. The rules for community nodes want NodeConnectionTypes.Main, which is the same value.
	'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
	'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
};

const rulesFor = (folder, { rules }) => ({
	files: [`${folder}/**/*.ts`],
	plugins: { 'n8n-nodes-base': n8nNodesBase },
	languageOptions: { parser: typescript.parser },
	rules: { ...rules, ...exceptions },
});

export default [
	rulesFor('credentials', n8nNodesBase.configs.credentials),
	rulesFor('nodes', n8nNodesBase.configs.nodes),
];
