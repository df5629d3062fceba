/** What any request may carry in its query: the mark, the identity, the version and the wrapping of the answer. */
export const commonParameters = ['api', 'APIKey', 'sid', 'version', 'v', 'callback'] as const;
