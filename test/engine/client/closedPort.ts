/** A port without a server. Operating systems never assign it as a free port. */
export const closedPort = 1;
