// In what Node loads, this is the single copy of typebox shared by all our packages: as the hundreds of modules it
// otherwise consists of, it takes longer to load than everything else.
export { Type } from 'typebox'
