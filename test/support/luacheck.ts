import { installDebianPackage } from './debian-package.ts';
import { installedProgram } from './installed-program.ts';

/** The `luacheck` on the PATH, installed first where possible. @throws Error that says what to do. */
export function requireLuacheck(): Promise<string> {
  return installedProgram(
    ['luacheck'],
    () => installDebianPackage('lua-check', 'luacheck'),
    'No luacheck for the Lua scripts: install it and put it on the PATH',
  );
}
