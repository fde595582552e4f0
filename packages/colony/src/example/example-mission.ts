import { artifactExamples, type MissionEnvelope } from '@minions/colony-contracts'

/** A lead of the example; all leads are fictional. */
export type ExampleLead = {
  readonly lead_id: string
  readonly name: string
  readonly segment: string
  /** Object of the sentence "wants …". */
  readonly interest: string
  /** Stated budget in millions of dirhams. */
  readonly budget_millions: number
  /** Intent to buy from 0 to 100, as the sales team rates it. */
  readonly intent: number
  readonly days_since_contact: number
  readonly stage: string
}

export type ExampleReport = {
  readonly title: string
  readonly url: string
  readonly snippet: string
  readonly confidence: number
}

/** A rule in the format of `@minions/approvals`. */
export type ExampleRule = {
  readonly name: string
  readonly action: 'ask'
  readonly kind: 'tool'
  readonly call: string
  readonly reason: string
}

export interface ExampleMission {
  readonly envelope: MissionEnvelope
  readonly leads: readonly ExampleLead[]
  readonly reports: readonly ExampleReport[]
  /** The policy of the example, for `approvals({ rules })`: one rule, which requires approval of outside searches. */
  readonly rules: readonly ExampleRule[]
}

/**
 * A complete mission with fictional leads and reports: which waterfront prospects are worth a call? A store accepts it
 * once; for a second run give the envelope another `mission_id`.
 */
export const exampleMission: ExampleMission = {
  envelope: {
    ...artifactExamples.mission_envelope,
    mission_id: '7c1d3a52-4e0b-4c7e-9a61-2f5b8e4d1c90',
    context_refs: {
      lead_ids: ['lead_123', 'lead_204', 'lead_317', 'lead_422'],
      page_id: null,
      campaign_ids: [],
    },
  },
  leads: [
    {
      lead_id: 'lead_123',
      name: 'Mara Lindqvist',
      segment: 'whale',
      interest: 'a marina-facing penthouse',
      budget_millions: 38,
      intent: 91,
      days_since_contact: 2,
      stage: 'Qualified',
    },
    {
      lead_id: 'lead_204',
      name: 'Tomasz Okafor',
      segment: 'investor',
      interest: 'two waterfront units to let',
      budget_millions: 9,
      intent: 64,
      days_since_contact: 12,
      stage: 'Contacted',
    },
    {
      lead_id: 'lead_317',
      name: 'Ines Baptiste-Rao',
      segment: 'whale',
      interest: 'a beach villa with a mooring',
      budget_millions: 52,
      intent: 83,
      days_since_contact: 5,
      stage: 'Qualified',
    },
    {
      lead_id: 'lead_422',
      name: 'Per Halvorsen',
      segment: 'first home',
      interest: 'a one-bedroom with a canal view',
      budget_millions: 2,
      intent: 31,
      days_since_contact: 40,
      stage: 'New',
    },
  ],
  reports: [
    {
      title: 'Waterfront demand, first quarter',
      url: 'https://reports.example.com/waterfront-q1',
      snippet: 'Marina-facing units sell in half the time of comparable inland ones.',
      confidence: 0.82,
    },
    {
      title: 'Moorings as a selling point',
      url: 'https://reports.example.com/moorings',
      snippet: 'Villas with a private mooring carry a premium of about a fifth.',
      confidence: 0.74,
    },
  ],
  rules: [
    {
      name: 'ask-before-searching-outside',
      action: 'ask',
      kind: 'tool',
      call: 'external_search',
      reason: 'A search outside costs money and tells others what we look for.',
    },
  ],
}
