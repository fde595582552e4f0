import type { Logger } from '../../plugin/logger.js'
import type { StorageProblem } from '../../storage/backend.js'
import { type Evolution, evolutionsCollection } from '../collections.js'
import type { Session } from '../session.js'
import type { DifferingType } from '../types/type-differences.js'
import { knownTransforms } from './conversions.js'
import { evolve, finishEvolution } from './evolve.js'

/**
 * Finishes interrupted evolutions. Those that need a transform not known here are returned as problems, since values that
 * it converts would be set aside.
 */
export async function finishEvolutions(session: Session): Promise<StorageProblem[]> {
  const problems: StorageProblem[] = []
  const interrupted: Evolution[] = []
  for await (const { record } of session.store.iterate(evolutionsCollection)) {
    session.types.begin(record.typeId)
    interrupted.push(record)
  }
  for (const record of interrupted) {
    const { awaiting } = knownTransforms(record, session.conversions.get(record.typeId))
    if (awaiting.length > 0) problems.push(waiting(record.typeId, awaiting))
    else await finishEvolution(session, record)
  }
  return problems
}

/** Evolves stored types to the schemas in code, and logs the result. */
export async function evolveToCode(session: Session, types: readonly DifferingType[], log: Logger): Promise<void> {
  for (const { inCode } of types) {
    const { transform } = session.conversions.get(inCode.id) ?? {}
    const { checked, minions } = await evolve(session, inCode.id, inCode.schema, { transform })
    const failed = minions.filter(({ transformErrors }) => transformErrors.length > 0)
    log.info(`The type "${inCode.slug}" was evolved to the schema in code.`, { checked, changed: minions.length })
    if (failed.length === 0) continue
    log.warn(`Some values of minions of type "${inCode.slug}" could not be converted and are in _legacy.`, {
      minions: failed.map(({ id, transformErrors }) => ({ id, transformErrors })),
    })
  }
}

function waiting(typeId: string, transforms: readonly string[]): StorageProblem {
  return {
    code: 'EVOLUTION_WAITING',
    message:
      `An evolution of the type "${typeId}" was interrupted; it converts ${transforms.join(', ')}; ` +
      'call types.evolve again with the same schema and `transform`. Until then the old values are in _legacy.',
    details: { id: typeId, transforms },
  }
}
