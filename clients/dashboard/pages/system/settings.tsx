import type { VNode } from 'preact';
import { density, theme } from '../../frame/look.ts';
import type { Preference } from '../../frame/preference.ts';
import { listedData, pace, payloads, zone } from '../../frame/settings.ts';
import { Choice } from '../../parts/fields.tsx';
import type { With } from '../../parts/properties.ts';

/** The settings that only this browser keeps. */
export function Settings(): VNode {
  return (
    <div class="settings">
      <Setting name="Theme" of={theme} />
      <Setting name="Rows" of={density} />
      <Setting name="Times" of={zone} />
      <Setting name="Data of jobs" of={payloads} />
      <Setting name="Data in lists" of={listedData} />
      <Setting name="Reads at most every" of={pace} />
    </div>
  );
}

function Setting<Value extends string>({
  name,
  of: preference,
}: With<'name', { of: Preference<Value> }>): VNode {
  const { value, values } = preference;
  const change = (chosen: string): void => {
    preference.value = values.find((each) => each === chosen) ?? value;
  };
  return <Choice label={name} value={value} values={values} change={change} />;
}
