// In what Node loads, this is the one copy of typebox that all our packages share: as hundreds of modules, which it is
// otherwise, it takes longer to load than all the rest.
export { Type } from 'typebox'
