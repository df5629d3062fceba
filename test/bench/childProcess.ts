import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';

/** Starts a fresh process, without warm code or used memory, and sends it its task. */
export function childProcess(file: string, task: object): ChildProcess {
	const child = fork(join(__dirname, file), { execArgv: process.execArgv });
	child.send(task);
	return child;
}

export async function nextMessage<Message>(child: ChildProcess): Promise<Message> {
	return await new Promise((resolve, reject) => {
		const fail = () => reject(new Error('A process ended before its work was done'));
		child.once('exit', fail);
		child.once('message', (message: Message) => {
			child.off('exit', fail);
			resolve(message);
		});
	});
}
