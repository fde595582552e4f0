import {
  type ArtifactName,
  isOfKind,
  type LibrarianPass,
  type MissionEnvelope,
  type MissionTask,
  type MissionTaskGraph,
  type PromptPackage,
  type StoredArtifact,
} from '@minions/colony-contracts'
import { MinionsError, quote } from '@minions/core'
import { dependencyOrder } from '@minions/core/coordination'
import { cloneJson } from '@minions/core/json'
import type { LiveMission } from './live-mission.js'

type ViewedMission = Pick<LiveMission, 'envelope' | 'artifacts' | 'taskIn'>

/**
 * A mission as one task sees it: only the artifacts of its dependencies, so that the order in which other tasks run
 * makes no difference. Loaded lazily, since most tasks read little; copied, since roles may change them.
 */
export class TaskView {
  readonly #mission: ViewedMission
  readonly #graph: MissionTaskGraph | undefined
  readonly task: MissionTask | undefined
  /** Kinds that the role declares to read; any kind by default. */
  readonly #reads: readonly ArtifactName[] | undefined
  #before: readonly StoredArtifact[] | undefined

  /** The graph may be replaced while the task runs; its view stays the same. */
  constructor(
    mission: ViewedMission,
    task: MissionTask | undefined,
    graph: MissionTaskGraph | undefined,
    reads?: readonly ArtifactName[],
  ) {
    this.#mission = mission
    this.#reads = reads
    this.#graph = graph
    this.task = task && cloneJson(task)
  }

  get envelope(): MissionEnvelope {
    return cloneJson(this.#mission.envelope)
  }

  get graph(): MissionTaskGraph | undefined {
    return this.#graph && cloneJson(this.#graph)
  }

  get package(): PromptPackage | undefined {
    return this.#forTask('prompt_package').at(-1)
  }

  get passes(): readonly LibrarianPass[] {
    return this.#forTask('librarian_pass')
  }

  /** A property, so that roles can destructure it from their input. */
  readonly read = <Name extends ArtifactName>(name: Name): readonly StoredArtifact<Name>[] => {
    if (this.#reads?.includes(name) === false) {
      const message = `The role reads ${this.#reads.join(', ') || 'nothing'}, not ${quote(name)}; add it to \`reads\` in the definition of the role.`
      throw new MinionsError('VALIDATION_FAILED', message)
    }
    return this.#ofKind(name)
  }

  #ofKind<Name extends ArtifactName>(name: Name): readonly StoredArtifact<Name>[] {
    this.#before ??= artifactsBefore(this.#mission, this.task, this.#graph)
    return cloneJson(this.#before.filter((artifact) => isOfKind(artifact, name))) as StoredArtifact<Name>[]
  }

  #forTask<Name extends 'prompt_package' | 'librarian_pass'>(name: Name): readonly StoredArtifact<Name>[] {
    return this.#ofKind(name).filter((artifact) => (artifact as PromptPackage).task_id === this.task?.task_id)
  }
}

export function tasksBefore(
  mission: Pick<ViewedMission, 'taskIn'>,
  graph: MissionTaskGraph,
  task: MissionTask | undefined,
): Set<string> {
  const dependenciesOf = (id: string) => mission.taskIn(graph, id)?.depends_on ?? []
  return new Set(dependencyOrder(task?.depends_on ?? [], dependenciesOf).order)
}

/** The artifacts of a task's direct and indirect dependencies, in the order of the graph. */
export function artifactsBefore(
  mission: ViewedMission,
  task: MissionTask | undefined,
  graph: MissionTaskGraph | undefined,
): readonly StoredArtifact[] {
  if (graph === undefined) return []
  const before = tasksBefore(mission, graph, task)
  const inOrder = graph.tasks.filter(({ task_id }) => before.has(task_id))
  return inOrder.flatMap(({ task_id }) => mission.artifacts.get(task_id) ?? [])
}
