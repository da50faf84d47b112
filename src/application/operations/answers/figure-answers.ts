import { listOf } from '../../../domain/values/shape.ts';
import { queueFailureShape } from '../../figures/recent-failures.ts';

export const recentFailuresAnswer = listOf(queueFailureShape);
