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
    { title: 'Worker result', description: 'What one worker found, with its sources and how sure it is.' },
  ),
  {
    task_id: 'The task of the mission that it is for.',
    result_id: 'Identifies the result.',
    output_text: 'The result in words.',
    structured_output: 'The result as data, by name.',
    citations: 'What it rests on.',
    confidence: 'How sure the worker is, from 0 to 1.',
    tool_trace_refs: 'Traces of the tools that were used.',
  },
)

/** What one worker found, with its sources and how sure it is. */
export type WorkerResult = Static<typeof WorkerResultSchema>
