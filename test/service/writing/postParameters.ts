import type { Call } from '../call';
import { commonParameters } from '../http/commonParameters';
import { unknownField } from './changes';

/**
 * Refuses the query parameters that an endpoint does not have. The specification does not speak of
 * them; the deployed service takes one on a POST for a field and refuses the request.
 *
 * @throws ServiceError of code 201
 */
export function demandPostParameters({ query, state }: Call, ...own: readonly string[]): void {
	const known: readonly string[] = [...commonParameters(state.switches), ...own];
	const stranger = query.parameters.find(({ name }) => !known.includes(name));
	if (stranger) throw unknownField(stranger.name);
}
