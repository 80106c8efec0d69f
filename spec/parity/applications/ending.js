// Exits with code 3 before it calls listen.
process.exit(3);
