/** A port on which nobody listens, nor will: no system gives it to a program that asks for any free one. */
export const closedPort = 1;
