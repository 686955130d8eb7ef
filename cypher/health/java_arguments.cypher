// How the server's Java was started.
CALL dbms.queryJmx('java.lang:type=Runtime') YIELD attributes
RETURN attributes.InputArguments.value AS arguments
