import { object } from '../../../domain/values/shape.ts';
import { demandFields } from '../../queues/scaling-demands.ts';

export const demandAnswer = object('Demand', demandFields);
