/** Set before suites are imported that are to run on PostgreSQL and nowhere else. */
export const onPostgres = { only: false }
