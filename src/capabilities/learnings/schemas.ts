import { z } from 'zod';
import {
  commaListParameter,
  cursorParameter,
  integerParameter,
  providerId,
  uuid,
  wireInstant,
  wireUuid,
} from '../../lib/wire/wire.ts';
import { severities } from '../../reviewer/finding-vocabulary.ts';
import { healths } from './board/health.ts';
import { learningText } from './write/learning-fields.ts';

const itemDescription = {
  type: 'object',
  description: 'Validated on its own: an invalid item fails with INVALID_ITEM and the others are processed.',
  required: ['repository_id', 'learning'],
  additionalProperties: false,
  properties: {
    repository_id: { type: 'string', description: 'Git provider repository id' },
    learning: { type: 'string', description: 'Text, 1 to 10,000 characters after trimming' },
    file: { type: 'string', maxLength: 1024, description: 'The file or folder it is about' },
    source_url: { type: 'string', maxLength: 2048, format: 'uri', description: 'An http or https URL' },
  },
};

export const createBody = z.strictObject({
  data: z
    .array(z.unknown().meta({ openapi: itemDescription }))
    .min(1)
    .max(100),
});

const itemResult = z
  .strictObject({
    index: z.int(),
    status: z.enum(['created', 'duplicate', 'failed']),
    id: wireUuid.nullable(),
    error: z
      .strictObject({
        code: z.enum(['INVALID_ITEM', 'REPOSITORY_NOT_FOUND', 'INDEXING_FAILED']),
        message: z.string(),
      })
      .optional(),
  })
  .meta({ id: 'LearningResult' });

export const createResult = z.strictObject({
  status: z.enum(['success', 'partial_success', 'failure']),
  created_count: z.int(),
  duplicate_count: z.int(),
  failed_count: z.int(),
  results: z.array(itemResult),
});

export const learningPath = z.strictObject({ learning_id: uuid });
export const updateBody = z.strictObject({
  learning: learningText.meta({
    openapi: { type: 'string', description: 'New text, 1 to 10,000 characters after trimming' },
  }),
});

const exportShape = {
  id: wireUuid,
  learning: z.string(),
  repository_name: z.string(),
  author_username: z.string().nullable(),
  created_at: wireInstant,
  updated_at: wireInstant,
  usage_count: z.int(),
  organization_id: z.string(),
  organization_name: z.string(),
  repository_id: z.string(),
  author_id: z.string(),
  file: z.string().nullable(),
  source_url: z.string().nullable(),
  last_used_at: wireInstant.nullable(),
};

export const learning = z.strictObject(exportShape).meta({ id: 'Learning' });
export const learningPage = z.strictObject({ data: z.array(learning), next_cursor: z.string().nullable() });

const maxFiles = 10;

export const listQuery = z.strictObject({
  repository_ids: commaListParameter(10).optional(),
  user_ids: commaListParameter(10).optional(),
  repository_name: z.string().min(1).max(255).optional(),
  search: z.string().min(1).max(200).optional(),
  file: z.array(z.string().min(1).max(1024)).max(maxFiles, `given more than ${maxFiles} times`).optional(),
  stat_filter: z.enum(['total', 'active', 'never_used', 'created_this_week']).default('total'),
  format: z.enum(['json', 'csv']).default('json'),
  limit: integerParameter(1, 1000).default(1000),
  cursor: cursorParameter.optional(),
});

export const searchBody = z.strictObject({
  repository_id: providerId,
  query: z.string().trim().min(1).max(10_000),
  file: z.string().min(1).max(1024).optional(),
  pull_request: z.int().min(1).max(2_147_483_647).optional(),
  limit: z.int().min(1).max(50).default(10),
});

export const searchResult = z.strictObject({
  data: z.array(
    z
      .strictObject({
        ...exportShape,
        score: z.number().min(0).max(1),
        reasons: z.strictObject({
          scope: z.enum(['repository', 'pull_request']),
          file: z.enum(['exact', 'folder', 'any']),
          words: z.number().min(0).max(1),
          meaning: z.number().min(-1).max(1).nullable(),
        }),
      })
      .meta({ id: 'FoundLearning' }),
  ),
});

export const pendingQuery = z.strictObject({
  limit: integerParameter(1, 200).default(50),
  cursor: cursorParameter.optional(),
});

export const pendingPage = z.strictObject({
  data: z.array(z.strictObject({ ...exportShape, approval_deadline: wireInstant })),
  total: z.int().nullable().meta({ description: 'How many there are; on the first page only' }),
  next_cursor: z.string().nullable(),
});

export const decisionRequest = z.strictObject({
  decision: z.enum(['approved', 'disapproved']),
  ids: z.array(uuid).min(1).max(500),
});

export const decisionResult = z.strictObject({
  results: z.array(z.strictObject({ id: wireUuid, outcome: z.enum(['done', 'not_pending', 'not_found']) })),
});

export const usageQuery = z.strictObject({
  search: z.string().trim().min(1).max(200).optional(),
  repository_id: providerId.optional(),
  health: z.enum(healths).optional(),
  sort: z.enum(['-created', 'created', '-used', '-uses', '-contradicted']).default('-created'),
  limit: integerParameter(1, 200).default(50),
  cursor: cursorParameter.optional(),
});

const alike = z.strictObject({
  id: wireUuid,
  learning: z.string(),
  usage_count: z.int(),
  kind: z.enum(['duplicate', 'conflict']),
  likeness: z.number().min(0).max(1),
  word: z.string().nullable().meta({ description: 'What one of both is against and the other is not' }),
  is_other_against: z.boolean().nullable(),
});

export const usagePage = z.strictObject({
  data: z.array(
    z.strictObject({
      ...exportShape,
      followed: z.int(),
      contradicted: z.int(),
      undecided: z.int(),
      stale: z.enum(['never_used', 'unused', 'file_gone']).nullable(),
      retired_at: wireInstant.nullable(),
      merged_into: wireUuid.nullable(),
      alike: z.array(alike),
    }),
  ),
  next_cursor: z.string().nullable(),
});

export const usageSummary = z.strictObject({
  total: z.int(),
  used: z.int(),
  stale: z.int(),
  followed: z.int(),
  contradicted: z.int(),
  duplicate: z.int(),
  conflict: z.int(),
  retired: z.int(),
});

export const citingQuery = z.strictObject({
  limit: integerParameter(1, 200).default(50),
  cursor: cursorParameter.optional(),
});

export const citingPage = z.strictObject({
  data: z.array(
    z.strictObject({
      id: z.string(),
      title: z.string(),
      severity: z.enum(severities),
      accepted: z.boolean().nullable(),
      path: z.string(),
      repository_id: z.string(),
      repository_name: z.string(),
      pull_request: z.int(),
      created_at: wireInstant,
    }),
  ),
  next_cursor: z.string().nullable(),
});

export const retirementRequest = z.strictObject({
  action: z.enum(['retire', 'restore']),
  ids: z.array(uuid).min(1).max(500),
});

export const retirementResult = z.strictObject({
  results: z.array(z.strictObject({ id: wireUuid, outcome: z.enum(['done', 'not_possible', 'not_found']) })),
});

export const mergeRequest = z.strictObject({
  kept_id: uuid,
  retired_id: uuid,
  learning: updateBody.shape.learning.optional(),
});

export const pairRequest = z.strictObject({ ids: z.tuple([uuid, uuid]) });
