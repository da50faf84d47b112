import { mixed, object, type ISchema, type Schema, type TestContext } from 'yup';
import type { Rule } from '../../../../domain/rule.ts';

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
      const unknown = Object.keys(value ?? {}).find((key) => !Object.hasOwn(fields, key));
      if (unknown === undefined) return true;
      const name = unknown === '' ? '""' : unknown;
      const path = this.path === '' ? name : `${this.path}.${name}`;
      return this.createError({ path, message: 'is not a known field' });
    });
}
