/* Functions by name for loaders that cannot call the functions of a table, such as MATLAB's loadlibrary. */
#ifndef SIMHOST_MATLAB_H
#define SIMHOST_MATLAB_H

/* Opens a world. Returns null if it cannot be opened. */
void *simhost_m_open(const char *path);
/* Steps until a time, s. Returns 0, or the code of an error. */
int simhost_m_run(void *session, double time);
/* Reads quantities that patterns select, one per line. Returns 0, or the code of an error. */
int simhost_m_read(void *session, const char *patterns, double *values, unsigned long count);
/* Ends a session. */
void simhost_m_close(void *session);

#endif
