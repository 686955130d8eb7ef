// The cheapest query there is: shows that the server is up and lets this user in.
RETURN 1 AS ok
