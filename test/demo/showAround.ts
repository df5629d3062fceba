import { startReferenceService } from '../service';
import { aroundClaims, type OrderMoments } from './aroundClaims';
import { reportClaims } from './claim';
import { emphasised, print } from './display';
import { hasSucceeded, observedRun, printSteps } from './observedRun';
import { orderMoment } from './orderMoment';

const workflowPath = 'test/workflows/around.json';

/** Shows what can be done around a record: rows, comments, locks, buttons. Answers the exit code. */
export async function showAround(): Promise<number> {
	const service = await startReferenceService();
	try {
		const moments: OrderMoments = new Map([['', orderMoment(service)]]);
		const { observation, result } = await observedRun(workflowPath, service, {
			onNodeEnd: (name) => moments.set(name, orderMoment(service)),
		});
		print();
		print(emphasised(`${workflowPath}, likewise`));
		print();
		printSteps(observation);
		print();
		if (!hasSucceeded(result)) return 1;
		return reportClaims(aroundClaims(moments, result, service));
	} finally {
		await service.close();
	}
}
