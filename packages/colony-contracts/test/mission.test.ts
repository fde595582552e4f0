import { describe, expect, it } from 'vitest'
import {
  type Artifact,
  type ArtifactProblem,
  ArtifactRegistry,
  type LibrarianPass,
  linkageProblems,
  type MissionEnvelope,
  MissionIndex,
  validateMission,
} from '../src/index.js'
import { edit, type Json } from './support/edit.js'
import { artifactsOf, linkedMission, type Mission, task } from './support/mission.js'

const brief = (errors: readonly ArtifactProblem[]) => errors.map(({ pointer, code }) => `${pointer} ${code}`)

/** The problems of the linked mission after a change to it, extra artifacts at its end. */
function problemsAfter(change: (mission: Mission) => unknown, ...extra: Json[]): string[] {
  const mission = linkedMission()
  change(mission)
  return brief(validateMission([...artifactsOf(mission), ...extra]).errors)
}

const unchanged = () => undefined
const position = Object.fromEntries(Object.keys(linkedMission()).map((name, index) => [name, index])) as Record<
  keyof Mission,
  number
>

describe('validateMission', () => {
  it('accepts a whole mission, in any order', () => {
    const artifacts = artifactsOf(linkedMission())
    expect(validateMission(artifacts)).toEqual({ valid: true, errors: [] })
    expect(validateMission(artifacts.toReversed()).errors).toEqual([])
  })

  it('checks each artifact against its contract first', () => {
    expect(problemsAfter(({ worker_result }) => edit(worker_result, 'confidence', 2))).toEqual([
      `/${position.worker_result}/confidence RANGE`,
      // What is invalid is not there, so the claim that rests on it has lost its support.
      `/${position.aggregation_packet}/evidence_matrix/0/support_refs/0 UNKNOWN_REFERENCE`,
    ])
    expect(brief(validateMission('no list' as never).errors)).toEqual([' TYPE'])
    expect(brief(validateMission([null]).errors)).toEqual(['/0 TYPE', ' NO_ENVELOPE'])
  })

  describe('envelope', () => {
    it('a mission without is made of orphans', () => {
      const { mission_envelope: _, ...rest } = linkedMission()
      const { valid, errors } = validateMission(Object.values(rest))
      expect(valid).toBe(false)
      expect(brief(errors)).toEqual([
        ' NO_ENVELOPE',
        ...Object.keys(rest).map((_name, index) => `/${index}/mission_id ORPHAN`),
      ])
      expect(brief(validateMission([]).errors)).toEqual([' NO_ENVELOPE'])
    })

    it('an artifact of another mission is an orphan', () => {
      expect(problemsAfter(({ policy_decision }) => edit(policy_decision, 'mission_id', crypto.randomUUID()))).toEqual([
        `/${position.policy_decision}/mission_id ORPHAN`,
      ])
    })

    it('an artifact of another mission supports nothing in this one', () => {
      expect(problemsAfter(({ worker_result }) => edit(worker_result, 'mission_id', crypto.randomUUID()))).toEqual([
        `/${position.worker_result}/mission_id ORPHAN`,
        `/${position.aggregation_packet}/evidence_matrix/0/support_refs/0 UNKNOWN_REFERENCE`,
      ])
    })

    it('there is only one', () => {
      const again = linkedMission().mission_envelope
      expect(problemsAfter(unchanged, again)).toEqual([])
      expect(problemsAfter(unchanged, { ...again, user_goal: 'Another.' })).toEqual(['/10 SECOND_ENVELOPE'])
      expect(problemsAfter(unchanged, { ...again, mission_id: crypto.randomUUID() })).toEqual(['/10 SECOND_ENVELOPE'])
    })

    it('tenant and actor are those of the envelope, or missing', () => {
      const same = { tenant_id: 'tenant_velocity', actor_id: 'oracle_operator' }
      expect(problemsAfter(({ worker_result }) => Object.assign(worker_result, same))).toEqual([])
      const other = { tenant_id: 'tenant_b', actor_id: 'someone' }
      expect(problemsAfter(({ worker_result }) => Object.assign(worker_result, other))).toEqual([
        `/${position.worker_result}/tenant_id TENANT_MISMATCH`,
        `/${position.worker_result}/actor_id ACTOR_MISMATCH`,
      ])
    })
  })

  describe('identity', () => {
    it('the same content again changes nothing, with or without filled-in metadata', () => {
      const { worker_result, review_packet } = linkedMission()
      expect(problemsAfter(unchanged, worker_result, review_packet)).toEqual([])
      expect(problemsAfter(unchanged, { ...worker_result, tenant_id: 'tenant_velocity' })).toEqual([])
    })

    it('what is wrong with the same content twice is said once', () => {
      const { worker_result } = linkedMission()
      const stray = { ...worker_result, result_id: 'stray', task_id: 'nowhere' }
      const once = problemsAfter(unchanged, stray)
      expect(once).not.toEqual([])
      expect(problemsAfter(unchanged, stray, { ...stray })).toEqual(once)
    })

    it('other content under the same id is a conflict', () => {
      const { worker_result } = linkedMission()
      expect(problemsAfter(unchanged, { ...worker_result, output_text: 'Something else.' })).toEqual([
        '/10 ID_CONFLICT',
      ])
    })

    it('kinds have ids of their own', () => {
      expect(problemsAfter(({ policy_decision }) => edit(policy_decision, 'decision_id', 'wrk_001'))).toEqual([])
    })
  })

  describe('tasks', () => {
    it.each(['prompt_package', 'research_artifact', 'librarian_pass', 'worker_result'] as const)(
      'a %s is for a task of the graph',
      (name) => {
        expect(problemsAfter((mission) => edit(mission[name], 'task_id', 'task_unknown'))).toContain(
          `/${position[name]}/task_id UNKNOWN_TASK`,
        )
      },
    )

    it('without a graph there are none', () => {
      const { mission_task_graph: _, ...rest } = linkedMission()
      expect(
        brief(validateMission(Object.values(rest)).errors).filter((text) => text.endsWith('UNKNOWN_TASK')),
      ).toHaveLength(4)
    })

    it('a decision may name a task, which then exists', () => {
      expect(problemsAfter(({ policy_decision }) => edit(policy_decision, 'task_id', 'task_worker_01'))).toEqual([])
      expect(problemsAfter(({ policy_decision }) => edit(policy_decision, 'task_id', 'nobody'))).toEqual([
        `/${position.policy_decision}/task_id UNKNOWN_TASK`,
      ])
    })

    it('the graph itself follows its rules', () => {
      expect(
        problemsAfter(({ mission_task_graph }) =>
          edit(mission_task_graph, 'tasks/0/depends_on', ['task_worker_01', 'x']),
        ),
      ).toEqual([
        `/${position.mission_task_graph}/tasks/0/depends_on/1 UNKNOWN_DEPENDENCY`,
        `/${position.mission_task_graph}/tasks/0/depends_on CYCLE`,
      ])
    })

    it('a later graph is a new revision, and its tasks count', () => {
      const { mission_task_graph } = linkedMission()
      const narrower = (createdAt: string) => ({
        ...mission_task_graph,
        created_at: createdAt,
        tasks: [task('task_worker_01', { allowed_tools: ['crm_search'] })],
      })
      expect(problemsAfter(unchanged, narrower('2026-04-14T14:00:00+01:00'))).toEqual([
        `/${position.prompt_package}/tool_scope/1 SCOPE_EXCEEDED`,
        `/${position.prompt_package}/tool_scope/2 SCOPE_EXCEEDED`,
      ])
      // Later as text, earlier as a moment: 11:00 in UTC.
      expect(problemsAfter(unchanged, narrower('2026-04-14T13:00:00+02:00'))).toEqual([])
    })
  })

  describe('prompt packages', () => {
    it('have the role of their task', () => {
      expect(problemsAfter(({ prompt_package }) => edit(prompt_package, 'role_type', 'reviewer'))).toEqual([
        `/${position.prompt_package}/role_type ROLE_MISMATCH`,
      ])
    })

    it('stay within the allowed tools', () => {
      expect(
        problemsAfter(({ prompt_package }) => edit(prompt_package, 'tool_scope', ['crm_search', 'shell', 'toString'])),
      ).toEqual([
        `/${position.prompt_package}/tool_scope/1 SCOPE_EXCEEDED`,
        `/${position.prompt_package}/tool_scope/2 SCOPE_EXCEEDED`,
      ])
      expect(problemsAfter(({ prompt_package }) => edit(prompt_package, 'tool_scope', []))).toEqual([])
    })
  })

  describe('references', () => {
    it.each(['pkg_', 'res_', 'pass_', 'wrk_', 'agg_', 'rev_', 'pol_', 'wb_'])('%s… must exist', (prefix) => {
      const refs = [`${prefix}001`, `${prefix}404`, `see_${prefix}404`]
      expect(
        problemsAfter(({ aggregation_packet }) => edit(aggregation_packet, 'evidence_matrix/0/support_refs', refs)),
      ).toEqual([`/${position.aggregation_packet}/evidence_matrix/0/support_refs/1 UNKNOWN_REFERENCE`])
    })

    it('a decision on a writeback is about one that exists', () => {
      const decision = { decision_type: 'writeback', subject: 'wb_001' }
      expect(problemsAfter(({ policy_decision }) => Object.assign(policy_decision, decision))).toEqual([])
      expect(
        problemsAfter(({ policy_decision }) => Object.assign(policy_decision, decision, { subject: 'later' })),
      ).toEqual([`/${position.policy_decision}/subject UNKNOWN_REFERENCE`])
    })
  })

  describe('librarian passes', () => {
    const late = '2026-04-14T13:30:00Z'

    it('are not in use after they expired', () => {
      expect(problemsAfter(({ worker_result }) => edit(worker_result, 'created_at', late))).toEqual([
        `/${position.worker_result}/created_at PASS_EXPIRED`,
      ])
      expect(problemsAfter(({ worker_result }) => edit(worker_result, 'created_at', '2026-04-14T13:00:00Z'))).toEqual([
        `/${position.worker_result}/created_at PASS_EXPIRED`,
      ])
      expect(
        problemsAfter(({ worker_result }) => edit(worker_result, 'created_at', '2026-04-14T12:59:59.999Z')),
      ).toEqual([])
    })

    it('can be renewed in time, and not afterwards', () => {
      const renewal = { ...linkedMission().librarian_pass, pass_id: 'pass_002', expires_at: '2026-04-14T15:00:00Z' }
      const inTime = { ...renewal, created_at: '2026-04-14T12:50:00Z' }
      const tooLate = { ...renewal, created_at: '2026-04-14T14:00:00Z' }
      const change = ({ worker_result }: Mission) => edit(worker_result, 'created_at', late)
      expect(problemsAfter(change, inTime)).toEqual([])
      expect(problemsAfter(change, tooLate)).toEqual([`/${position.worker_result}/created_at PASS_EXPIRED`])
    })

    it('are not needed, and may expire unused', () => {
      const { librarian_pass: _, ...rest } = linkedMission()
      edit(rest.worker_result, 'created_at', late)
      expect(validateMission(Object.values(rest)).errors).toEqual([])
      expect(problemsAfter(({ librarian_pass }) => edit(librarian_pass, 'task_id', 'task_plan_01'))).toEqual([])
    })
  })

  describe('reviews', () => {
    const review = (rest: Json) => ({ ...linkedMission().review_packet, packet_id: 'rev_002', ...rest })
    const packet = (rest: Json) => ({ ...linkedMission().aggregation_packet, packet_id: 'agg_002', ...rest })

    it('there is one per aggregation packet; the later one is the second', () => {
      expect(problemsAfter(unchanged, review({ created_at: '2026-04-14T12:04:00Z' }))).toEqual([
        '/10/packet_id SECOND_REVIEW',
      ])
      expect(problemsAfter(unchanged, review({ created_at: '2026-04-14T12:03:10Z' }))).toEqual([
        `/${position.review_packet}/packet_id SECOND_REVIEW`,
      ])
      expect(problemsAfter(unchanged, review({ parent_refs: ['agg_001'] }))).toEqual(['/10/packet_id SECOND_REVIEW'])
    })

    it('parent_refs name the packet, otherwise it is the latest before the review', () => {
      const second = packet({ created_at: '2026-04-14T12:03:10Z' })
      // rev_001 is about agg_002 now, which leaves agg_001 for rev_002.
      expect(problemsAfter(unchanged, second, review({ parent_refs: ['agg_001'] }))).toEqual([])
      expect(problemsAfter(unchanged, second, review({ parent_refs: ['wrk_001', 'agg_002'] }))).toEqual([
        '/11/packet_id SECOND_REVIEW',
      ])
      const third = packet({ packet_id: 'agg_003', created_at: '2026-04-14T12:05:00Z' })
      expect(problemsAfter(unchanged, third, review({ created_at: '2026-04-14T12:06:00Z' }))).toEqual([])
    })

    it('a named packet exists, and there is something to review', () => {
      expect(problemsAfter(({ review_packet }) => edit(review_packet, 'parent_refs', ['agg_404']))).toEqual([
        `/${position.review_packet}/parent_refs/0 UNKNOWN_REFERENCE`,
      ])
      expect(
        problemsAfter(({ aggregation_packet }) => edit(aggregation_packet, 'created_at', '2026-04-14T12:09:00Z')),
      ).toEqual([`/${position.review_packet} REVIEW_WITHOUT_PACKET`])
    })
  })

  it('takes kinds of a registry, and links them by task', () => {
    const registry = new ArtifactRegistry().register({ name: 'field_note', version: 'v1', schema: {} })
    const { mission_id, created_at, producer } = linkedMission().worker_result
    const note = {
      schema_name: 'field_note',
      schema_version: 'v1',
      mission_id,
      created_at,
      producer,
      artifact_id: 'wrk_007',
    }
    const mission = linkedMission()
    edit(mission.aggregation_packet, 'evidence_matrix/0/support_refs', ['wrk_007'])
    expect(
      validateMission([...artifactsOf(mission), { ...note, task_id: 'task_worker_01' }], { registry }).errors,
    ).toEqual([])
    expect(brief(validateMission([...artifactsOf(mission), { ...note, task_id: 'x' }], { registry }).errors)).toEqual([
      '/10/task_id UNKNOWN_TASK',
    ])
  })

  it('takes time in proportion to the number of artifacts', () => {
    const build = (count: number) => {
      const mission = linkedMission()
      const many = (make: (index: number) => Json) => Array.from({ length: count }, (_, index) => make(index))
      const time = (index: number) => new Date(Date.UTC(2026, 3, 14, 12, 1) + (count - index) * 10).toISOString()
      return [
        ...artifactsOf(mission).slice(0, 2),
        ...many((index) => ({ ...mission.librarian_pass, pass_id: `pass_${index}`, created_at: time(index) })),
        ...many((index) => ({ ...mission.worker_result, result_id: `wrk_${index}`, created_at: time(index) })),
        ...many((index) => ({
          ...mission.aggregation_packet,
          packet_id: `agg_${index}`,
          created_at: time(index),
          evidence_matrix: [],
        })),
        ...many((index) => ({ ...mission.review_packet, packet_id: `rev_${index}`, created_at: time(index) })),
      ]
    }
    // Linear work takes about a second here, quadratic work minutes.
    const artifacts = build(10_000)
    expect(validateMission(artifacts).errors).toEqual([])
  })
})

describe('MissionIndex', () => {
  it('checks artifacts one by one, before they are added', () => {
    const mission = linkedMission()
    const index = new MissionIndex(mission.mission_envelope as unknown as MissionEnvelope)
    const registry = new ArtifactRegistry()
    for (const artifact of artifactsOf(mission)) {
      expect(linkageProblems(artifact, index)).toEqual([])
      index.add(artifact, registry.idOf(artifact as never))
    }
    const second = {
      ...mission.review_packet,
      packet_id: 'rev_002',
      created_at: '2026-04-14T12:03:01Z',
    } as unknown as Artifact
    expect(brief(linkageProblems(second, index))).toEqual(['/packet_id SECOND_REVIEW'])
    // A review without a name is about the latest packet, also if that came after others were checked.
    const third = { ...second, created_at: '2026-04-14T12:05:00Z' }
    expect(brief(linkageProblems(third, index))).toEqual(['/packet_id SECOND_REVIEW'])
    const packet = { ...mission.aggregation_packet, packet_id: 'agg_002', created_at: '2026-04-14T12:04:00Z' }
    index.add(packet as unknown as Artifact, 'agg_002')
    expect(linkageProblems(third, index)).toEqual([])
  })

  it('built on another has the passes of both, and adds none to the other', () => {
    const mission = linkedMission()
    const envelope = mission.mission_envelope as unknown as MissionEnvelope
    const pass = mission.librarian_pass as unknown as LibrarianPass
    const base = new MissionIndex(envelope)
    base.add(pass, pass.pass_id)
    const index = new MissionIndex(envelope, base)
    const longer = { ...pass, pass_id: 'pass_002', expires_at: '2026-04-14T14:00:00Z' }
    const shorter = { ...pass, pass_id: 'pass_003', expires_at: '2026-04-14T12:56:00Z' }
    const hadExpired = (at: MissionIndex, time: string) => at.passesHadExpired(pass.task_id, Date.parse(time))
    index.add(shorter, shorter.pass_id)
    expect(hadExpired(index, '2026-04-14T12:58:00Z')).toBe(false)
    expect(hadExpired(index, '2026-04-14T13:00:00Z')).toBe(true)
    index.add(longer, longer.pass_id)
    expect(hadExpired(index, '2026-04-14T13:00:00Z')).toBe(false)
    expect(hadExpired(base, '2026-04-14T13:00:00Z')).toBe(true)
  })
})
