/** The version of the Minions specification that this package implements; not the version of the package. */
export const SPEC_VERSION = '0.1.0'
