"""Of all tests in Python: interrupts reach the processes that they start."""

import signal

# A shell that starts pytest in the background has it ignore SIGINT, which its children would inherit.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
