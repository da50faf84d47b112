import { mixed, object, ValidationError, type ISchema, type Schema, type TestContext } from 'yup';
import type { Rule } from '../../../../../domain/rule.ts';
import { MAX_MISTAKES } from '../../messages/mistakes.ts';

/** A field that must be there and keep a rule of the domain, whose words become the message. */
export function required(rule: Rule): Schema {
  return mixed()
    .nullable()
    .test({ name: 'rule', message: `must ${rule.must}`, test: (value) => rule.accepts(value) });
}

/** Like {@link required}, for a field that may be absent. */
export function optional(rule: Rule): Schema {
  return required({
    must: rule.must,
    accepts: (value) => value === undefined || rule.accepts(value),
  });
}

type Fields = Readonly<Record<string, ISchema<unknown>>>;

/** An object that must be there and has these fields, and no others. */
export function requiredObject(fields: Fields): Schema {
  return objectOf(fields, 'be an object').defined('must be an object');
}

/** Like {@link requiredObject}, for an object that may be absent. */
export function optionalObject(fields: Fields, must = 'be an object'): Schema {
  return objectOf(fields, must);
}

function objectOf(fields: Fields, must: string) {
  return object(fields)
    .typeError(`must ${must}`)
    .nonNullable(`must ${must}`)
    .test('known-fields', function (this: TestContext, value: object | undefined) {
      const unknown = Object.keys(value ?? {}).filter((key) => !Object.hasOwn(fields, key));
      const errors = unknown
        .slice(0, MAX_MISTAKES)
        .map((member) => this.createError({ message: 'is not a known field', params: { member } }));
      return errors.length === 0 || new ValidationError(errors);
    });
}
