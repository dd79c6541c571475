"""Tables of samples. Characters that one cannot see are written as escapes, so that a reviewer reads them."""
