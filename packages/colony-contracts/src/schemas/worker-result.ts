import { about } from '@minions/core/schema'
import { type Static, Type } from 'typebox'
import { Confidence, Id, Name, Names, OpenObject, Text } from './parts.js'
import { rootMetadata } from './root-metadata.js'

const CitationSchema = Type.Object({
  kind: about(Name, 'Kind of source.'),
  ref: about(Name, 'The source: an artifact of the mission, or something outside.'),
})

export const WorkerResultSchema = Type.Object(
  {
    ...rootMetadata('worker_result'),
    task_id: about(Id, 'The task of the mission it is for.'),
    result_id: about(Id, 'Identifies the result.'),
    output_text: about(Text, 'The result in words.'),
    structured_output: about(Type.Optional(OpenObject), 'The result as structured data.'),
    citations: about(Type.Optional(Type.Array(CitationSchema)), 'Its sources.'),
    confidence: about(Confidence, 'Confidence of the worker, from 0 to 1.'),
    tool_trace_refs: about(Type.Optional(Names), 'Traces of the tools used.'),
  },
  { title: 'Worker result', description: 'The findings of one worker, with sources and confidence.' },
)

/** The findings of one worker, with sources and confidence. */
export type WorkerResult = Static<typeof WorkerResultSchema>
