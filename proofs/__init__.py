"""Why the rules are right: encoding, engines, certificates, verdicts."""
