export { FileLock, type FileLockOptions } from './file-lock.js'
export { refuseNesting } from './refuse-nesting.js'
export { type Content, type ReplaceOptions, replaceFile, replaceFileSync, syncDirectorySync } from './replace-file.js'
export { isSystemError, systemCode } from './system-error.js'
