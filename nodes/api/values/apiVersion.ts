/** The version of the API that this package is written for (specification, "Versioning"). */
export const apiVersion = '2025-01-01';
