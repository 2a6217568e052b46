"""What people read: the command line and its tables."""
