/** Commands that have no operation, because what they do is a matter of the computer they run on. */
export const LOCAL: Readonly<Record<string, string>> = {
  demo: 'makes a folder with a store of its own',
  'workspace init-files': 'writes the files of a folder',
  'skills load': 'loads code from a folder',
  'proposals apply': 'runs the code of a local module',
  copy: 'reads and writes stores other than that of the app',
  doctor: 'looks at the files of a store that may be too damaged to open',
  validate: 'checks a file',
  'schemas list': 'lists files of the installed packages',
  'operations list': 'lists the operations themselves',
  'operations show': 'shows an operation itself',
  'operations run': 'runs any operation',
  'config show': 'shows the configuration of the working directory',
}
