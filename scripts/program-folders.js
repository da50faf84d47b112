/** The sources of the program that is published: the service, and the clients of its API that it contains. */
export const PROGRAM_FOLDERS = [
  'src',
  'clients/command-line',
  'clients/dashboard',
  'clients/rules',
];
