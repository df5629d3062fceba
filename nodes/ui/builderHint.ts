/**
 * A hint at a parameter for models that write workflows; people do not see it. To be spread into a
 * parameter, since the types of older versions of n8n do not know it, and those versions ignore it.
 */
export function builderHint(propertyHint: string): { builderHint: { propertyHint: string } } {
	return { builderHint: { propertyHint } };
}

/**
 * What a model is told that looks for a node, with the node to use beside it. To be spread into a node's
 * description, for the same reason.
 */
export function nodeHint(
	searchHint: string,
	nodeType: string,
	relationHint: string,
): { builderHint: { searchHint: string; relatedNodes: RelatedNode[] } } {
	return { builderHint: { searchHint, relatedNodes: [{ nodeType, relationHint }] } };
}

interface RelatedNode {
	nodeType: string;
	relationHint: string;
}
