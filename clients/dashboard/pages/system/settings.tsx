import type { VNode } from 'preact';
import { density, theme } from '../../frame/look.ts';
import type { Preference } from '../../frame/preference.ts';
import { listedData, pace, payloads, zone } from '../../frame/settings.ts';

/** The settings that only this browser keeps. */
export function Settings(): VNode {
  return (
    <div class="settings">
      <Choice name="Theme" of={theme} />
      <Choice name="Rows" of={density} />
      <Choice name="Times" of={zone} />
      <Choice name="Data of jobs" of={payloads} />
      <Choice name="Data in lists" of={listedData} />
      <Choice name="Reads at most every" of={pace} />
    </div>
  );
}

function Choice<Value extends string>({
  name,
  of: preference,
}: {
  readonly name: string;
  readonly of: Preference<Value>;
}): VNode {
  return (
    <label>
      {name}
      <select
        value={preference.value}
        onChange={({ currentTarget: { value } }) => {
          preference.value = preference.values.find((each) => each === value) ?? preference.value;
        }}
      >
        {preference.values.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
    </label>
  );
}
