// Ends before it calls listen.
process.exit(3);
