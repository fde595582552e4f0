import type { Artifact, ArtifactName } from './schemas/artifact.js'

/** What every artifact of the example mission begins with. */
function root<Name extends ArtifactName>(schema_name: Name) {
  return { schema_name, schema_version: 'v1', mission_id: '0b1f6c52-7d3e-4a86-9c41-5e8f2a7d9b30' } as const
}

/** One artifact of each kind, for tests, documentation and prompts that show a model the expected output. */
export const artifactExamples: { readonly [Name in ArtifactName]: Artifact<Name> } = {
  mission_envelope: {
    ...root('mission_envelope'),
    mission_type: 'oracle_advisory',
    origin_surface: 'oracle',
    tenant_id: 'tenant_velocity',
    actor_id: 'oracle_operator',
    actor_role: 'sales_director',
    user_goal: 'Summarize the highest intent waterfront prospects and recommend next actions.',
    normalized_goal: 'Produce a prioritized lead intelligence brief for waterfront prospects with actions.',
    risk_level: 'medium',
    sensitivity_class: 'internal_business',
    time_budget_ms: 45000,
    token_budget: 180000,
    requested_outputs: ['reviewed_summary', 'writeback_proposal'],
    context_refs: {
      lead_ids: ['lead_123'],
      page_id: null,
      campaign_ids: [],
    },
    created_at: '2026-04-14T12:00:00Z',
    producer: 'python_root_gateway',
  },
  mission_task_graph: {
    ...root('mission_task_graph'),
    tasks: [
      {
        task_id: 'task_plan_01',
        role_type: 'prompt_master',
        objective: 'Prepare role-specific prompt packages for all execution tasks.',
        depends_on: [],
        required_capabilities: ['prompt_templates', 'task_prompting'],
        allowed_tools: [],
        required_data_scopes: ['mission_metadata'],
        success_criteria: ['prompt packages exist for all downstream tasks'],
      },
    ],
    created_at: '2026-04-14T12:00:02Z',
    producer: 'planner_agent',
  },
  prompt_package: {
    ...root('prompt_package'),
    task_id: 'task_worker_01',
    package_id: 'pkg_001',
    role_type: 'worker',
    template_id: 'crm_lead_intelligence_worker',
    template_version: 'v1',
    examples_used: ['crm_worker_example_01'],
    system_prompt: 'You are a lead intelligence specialist...',
    task_prompt: 'Analyze the provided lead context...',
    constraints: {
      must_cite_sources: true,
      must_not_writeback_directly: true,
    },
    tool_scope: ['crm_search', 'local_property_rag', 'external_search'],
    model_route: 'tier_high_reasoning',
    created_at: '2026-04-14T12:00:05Z',
    producer: 'prompt_master_agent',
  },
  research_artifact: {
    ...root('research_artifact'),
    task_id: 'task_research_01',
    artifact_id: 'res_001',
    provider: 'brave',
    query: 'Dubai waterfront premium real estate 2026 demand',
    results: [
      {
        title: 'Market report title',
        url: 'https://example.com/report',
        snippet: 'Short snippet',
        source_type: 'web',
        retrieved_at: '2026-04-14T12:01:00Z',
        confidence: 0.82,
      },
    ],
    created_at: '2026-04-14T12:01:01Z',
    producer: 'researcher_agent',
  },
  librarian_pass: {
    ...root('librarian_pass'),
    task_id: 'task_worker_01',
    pass_id: 'pass_001',
    allowed_resource_families: ['crm.leads', 'crm.chat_logs'],
    recommended_queries: [
      {
        tool: 'crm_search',
        query: 'waterfront whale prospects',
      },
    ],
    cached_previews: [
      {
        label: 'Lead summary',
        entity_type: 'lead',
        entity_id: 'lead_123',
        preview: 'Whale prospect interested in marina-facing unit',
      },
    ],
    expires_at: '2026-04-14T13:00:00Z',
    created_at: '2026-04-14T12:00:08Z',
    producer: 'librarian_agent',
  },
  worker_result: {
    ...root('worker_result'),
    task_id: 'task_worker_01',
    result_id: 'wrk_001',
    output_text: 'Lead 123 has the highest close probability...',
    structured_output: {
      priority: 'high',
      recommended_action: 'schedule executive follow-up',
    },
    citations: [
      {
        kind: 'internal',
        ref: 'lead_123',
      },
    ],
    confidence: 0.79,
    tool_trace_refs: ['toolcall_001', 'toolcall_002'],
    created_at: '2026-04-14T12:02:10Z',
    producer: 'worker_agent',
  },
  aggregation_packet: {
    ...root('aggregation_packet'),
    packet_id: 'agg_001',
    summary: 'Top waterfront leads are concentrated in two whale segments...',
    evidence_matrix: [
      {
        claim: 'Lead 123 is high priority',
        support_refs: ['wrk_001', 'lead_123'],
      },
    ],
    contradictions: [],
    coverage_gaps: [],
    recommended_output: {
      format: 'structured_brief',
    },
    created_at: '2026-04-14T12:03:00Z',
    producer: 'aggregator_agent',
  },
  review_packet: {
    ...root('review_packet'),
    packet_id: 'rev_001',
    review_status: 'approved_with_edits',
    issues: [
      {
        severity: 'medium',
        message: 'One recommendation needs clearer business justification.',
      },
    ],
    required_edits: ['add one sentence linking lead score to action priority'],
    approved_output: {
      summary: 'Reviewed final answer here',
    },
    created_at: '2026-04-14T12:03:20Z',
    producer: 'reviewer_agent',
  },
  policy_decision: {
    ...root('policy_decision'),
    decision_id: 'pol_001',
    decision_type: 'tool_scope',
    subject: 'external_search',
    decision: 'allow',
    reason: 'mission sensitivity permits public web search',
    created_at: '2026-04-14T12:00:03Z',
    producer: 'colony_policy_bridge',
  },
  writeback_proposal: {
    ...root('writeback_proposal'),
    proposal_id: 'wb_001',
    target_entity_type: 'lead',
    target_entity_id: 'lead_123',
    action_type: 'lead_stage_update',
    payload: {
      kanban_status: 'Negotiation',
    },
    requires_approval: true,
    created_at: '2026-04-14T12:03:25Z',
    producer: 'reviewer_agent',
  },
}
