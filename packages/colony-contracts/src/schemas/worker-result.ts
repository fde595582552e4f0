import { described } from '@minions/core/schema'
import { type Static, Type } from 'typebox'
import { Confidence, Id, Name, Names, OpenObject, Text } from './parts.js'
import { rootMetadata } from './root-metadata.js'

const CitationSchema = described(Type.Object({ kind: Name, ref: Name }), {
  kind: 'Kind of source.',
  ref: 'The source: an artifact of the mission, or something outside.',
})

export const WorkerResultSchema = described(
  Type.Object(
    {
      ...rootMetadata('worker_result'),
      task_id: Id,
      result_id: Id,
      output_text: Text,
      structured_output: Type.Optional(OpenObject),
      citations: Type.Optional(Type.Array(CitationSchema)),
      confidence: Confidence,
      tool_trace_refs: Type.Optional(Names),
    },
    { title: 'Worker result', description: 'The findings of one worker, with sources and confidence.' },
  ),
  {
    task_id: 'The task of the mission it is for.',
    result_id: 'Identifies the result.',
    output_text: 'The result in words.',
    structured_output: 'The result as structured data.',
    citations: 'Its sources.',
    confidence: 'Confidence of the worker, from 0 to 1.',
    tool_trace_refs: 'Traces of the tools used.',
  },
)

/** The findings of one worker, with sources and confidence. */
export type WorkerResult = Static<typeof WorkerResultSchema>
