% Drives a simulation from MATLAB. It has not been run: no MATLAB was at hand.
%
% MATLAB's loadlibrary cannot call the functions of a table, so matlab.c, which has to be compiled first, offers some by name.

loadlibrary('libsimhost_m', 'framework/capi/examples/matlab.h');
session = calllib('libsimhost_m', 'simhost_m_open', 'worlds/demo.world.xml');
values = libpointer('doublePtr', zeros(1, 6));
for second = 1:2
    calllib('libsimhost_m', 'simhost_m_run', session, second);
    calllib('libsimhost_m', 'simhost_m_read', session, 'robot/pose', values, 6);
    fprintf('%d s: at %6.3f, %6.3f m\n', second, values.Value(1), values.Value(2));
end
calllib('libsimhost_m', 'simhost_m_close', session);
unloadlibrary('libsimhost_m');
